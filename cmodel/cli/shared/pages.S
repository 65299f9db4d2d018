# SPDX-License-Identifier: Apache-2.0
#
# Style sheets, the body and the script of HTML pages, as terminated texts in the command
# (cli/shared/drawing.h).

        .section .rodata
        .global viewer_html, viewer_css, viewer_js, report_css, picture_css, signs_svg
viewer_html:
        .incbin "cmodel/cli/draw/viewer.html"
        .byte   0
viewer_css:
        .incbin "cmodel/cli/draw/viewer.css"
        .byte   0
viewer_js:
        .incbin "cmodel/cli/draw/viewer_state.js"
        .incbin "cmodel/cli/draw/viewer_draw.js"
        .incbin "cmodel/cli/draw/viewer.js"
        .byte   0
report_css:
        .incbin "cmodel/cli/plot/report.css"
        .byte   0
picture_css:
        .incbin "cmodel/cli/shared/picture.css"
        .byte   0
signs_svg:
        .incbin "cmodel/cli/draw/signs.svg"
        .byte   0
        .section .note.GNU-stack, "", %progbits

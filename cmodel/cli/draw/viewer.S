# SPDX-License-Identifier: Apache-2.0
#
# The parts of the page that annelid draw writes, as text in the command (viewer.h).

        .section .rodata
        .global viewer_html, viewer_css, viewer_js
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
        .section .note.GNU-stack, "", %progbits

# SPDX-License-Identifier: Apache-2.0
#
# The body and the script of the page of a batch, as terminated texts (film.h).

        .section .rodata
        .global phases_html, phases_js
phases_html:
        .incbin "cmodel/papers/bock/phases.html"
        .byte   0
phases_js:
        .incbin "cmodel/papers/bock/phases.js"
        .byte   0
        .section .note.GNU-stack, "", %progbits

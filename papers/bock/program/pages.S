# SPDX-License-Identifier: Apache-2.0
#
# The body and the script of the page of a batch, as terminated texts (film.h).

        .section .rodata
        .global phases_html, phases_js
phases_html:
        .incbin "papers/bock/program/phases.html"
        .byte   0
phases_js:
        .incbin "papers/bock/program/phases.js"
        .byte   0
        .section .note.GNU-stack, "", %progbits

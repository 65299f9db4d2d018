// SPDX-License-Identifier: Apache-2.0
//
// The page for the browser, embedded at build time (viewer.S): terminated texts. @NAME@ on a line
// of its own, or in a title, stands for what draw_page.c puts there.

#ifndef ANNELID_VIEWER_H
#define ANNELID_VIEWER_H

extern const char viewer_html[], viewer_css[], viewer_js[];

#endif

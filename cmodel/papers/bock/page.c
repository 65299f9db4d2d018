// SPDX-License-Identifier: Apache-2.0
//
// A batch step by step: a page with a slider, which needs nothing but a browser.

#include "film.h"

#include <inttypes.h>

enum { REGISTERS = 4 * FILM_SIDE * FILM_SIDE };

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
    "<title>Sliding diagonals</title>\n<style>\n"
    "body{font:15px/1.45 'DejaVu Sans',Helvetica,Arial,sans-serif;color:#1f2933;margin:1.2em auto;"
    "max-width:660px}\n"
    "h1{font-size:1.2em}canvas{border:1px solid #8a94a0;width:100%}input{width:100%}"
    "b{display:inline-block;min-width:11em}.k{display:inline-block;width:22px;height:4px;"
    "vertical-align:middle;margin:0 4px 0 14px}\n</style></head><body>\n"
    "<h1>A batch of worms of two flits on a torus of 16 × 16 nodes that hold nothing</h1>\n"
    "<canvas id=\"torus\" width=\"1280\" height=\"1280\"></canvas>\n"
    "<p><button id=\"play\">play</button> <b id=\"phase\"></b> <span id=\"step\"></span></p>\n"
    "<input id=\"at\" type=\"range\" min=\"0\" value=\"0\" aria-label=\"step\">\n"
    "<p><span class=\"k\" style=\"background:#0072b2\"></span>right"
    "<span class=\"k\" style=\"background:#d98200\"></span>left"
    "<span class=\"k\" style=\"background:#009e73\"></span>up"
    "<span class=\"k\" style=\"background:#8e44ad\"></span>down. A flit is drawn on the link at "
    "whose end it stands; thick ones, with square heads, stand in this step. Stripes are column "
    "blocks, lines row blocks. A click follows another worm; the ring is its destination.</p>\n"
    "<p id=\"worm\"></p>\n<script>\n";

static const char script[] =
    "const colours=['#0072b2','#d98200','#009e73','#8e44ad'],ways=[[1,0],[-1,0],[0,-1],[0,1]];\n"
    "const canvas=document.getElementById('torus'),pen=canvas.getContext('2d'),n=film.n;\n"
    "const unit=canvas.width/n,at=document.getElementById('at'),place=s=>`(${s%n},${s/n|0})`;\n"
    "let followed=film.followed,timer=null;\nat.max=film.steps.length-1;"
    "at.value=+location.hash.slice(1)||0;\n"
    "function line(x,y,u,v,colour,width){pen.strokeStyle=colour;pen.lineWidth=width;"
    "pen.beginPath();pen.moveTo(x,y);pen.lineTo(u,v);pen.stroke();}\n"
    "function centre(s){return[(s%n+.5)*unit,canvas.height-((s/n|0)+.5)*unit];}\n"
    "function spot(r){const[x,y]=centre(r>>2),[dx,dy]=ways[r&3];"
    "return[x-.17*unit*dy,y+.17*unit*dx,dx,dy];}\n"
    "function ground(){pen.fillStyle='#fff';pen.fillRect(0,0,canvas.width,canvas.height);"
    "pen.fillStyle='#f1f4f8';for(let x=0;x<n;x+=2*film.c)"
    "pen.fillRect(x*unit,0,film.c*unit,canvas.height);"
    "for(let y=film.c*film.length;y<n;y+=film.c*film.length)"
    "line(0,canvas.height-y*unit,canvas.width,canvas.height-y*unit,'#aeb8c4',2);"
    "pen.fillStyle='#c9d1da';for(let s=0;s<n*n;s++){const[x,y]=centre(s);"
    "pen.fillRect(x-2,y-2,4,4);}}\n"
    "function flit(r,index,stands){const[x,y,dx,dy]=spot(r),colour=colours[r&3];"
    "line(x-unit*dx,y-unit*dy,x,y,colour,stands?20:11);if(index)return;"
    "pen.fillStyle=colour;if(stands){pen.fillRect(x-15,y-15,30,30);return;}"
    "pen.beginPath();pen.moveTo(x+18*dx,y+18*dy);pen.lineTo(x-18*dx-18*dy,y-18*dy+18*dx);"
    "pen.lineTo(x-18*dx+18*dy,y-18*dy-18*dx);pen.fill();}\n"
    "function phase(t){let found=film.phases[0];for(const p of film.phases)if(p[0]<=t)found=p;"
    "const u=t-found[0];return found[1]==='phase 2'?"
    "`phase 2, round ${(u/film.round|0)+1}, step ${u%film.round}`:`${found[1]}, step ${u}`;}\n"
    "function show(){const t=+at.value,flits=film.steps[t];ground();"
    "for(let i=0;i<flits.length;i+=2)if(flits[i+1]>>2===followed){"
    "const[x,y,dx,dy]=spot(flits[i]);line(x-unit*dx,y-unit*dy,x,y,'rgba(255,59,48,.45)',46);}\n"
    "for(let i=0;i<flits.length;i+=2)flit(flits[i],flits[i+1]>>1&1,flits[i+1]&1);"
    "const w=film.worms[followed],[x,y]=centre(w[1]);pen.strokeStyle='#ff3b30';pen.lineWidth=8;"
    "pen.beginPath();pen.arc(x,y,28,0,7);pen.stroke();"
    "document.getElementById('step').textContent=`step ${t} of ${film.steps.length}`;"
    "document.getElementById('phase').textContent=phase(t);"
    "document.getElementById('worm').textContent=`Worm ${followed} goes from ${place(w[0])} to "
    "${place(w[1])}: ${w[2]}.`;}\n"
    "function stop(){clearInterval(timer);timer=null;"
    "document.getElementById('play').textContent='play';}\n"
    "document.getElementById('play').onclick=e=>{if(timer)return stop();"
    "if(+at.value===+at.max)at.value=0;e.target.textContent='stop';timer=setInterval(()=>{"
    "at.value=+at.value+1;show();if(+at.value===+at.max)stop();},120);};\n"
    "at.oninput=show;canvas.onclick=e=>{const box=canvas.getBoundingClientRect(),"
    "scale=canvas.width/box.width,px=(e.clientX-box.left)*scale,py=(e.clientY-box.top)*scale;"
    "let best=unit*unit;const flits=film.steps[+at.value];for(let i=0;i<flits.length;i+=2){"
    "const[x,y,dx,dy]=spot(flits[i]),a=x-unit*dx/2-px,b=y-unit*dy/2-py;if(a*a+b*b<best){"
    "best=a*a+b*b;followed=flits[i+1]>>2;}}show();};\nshow();\n"
    "</script></body></html>\n";

// --- the data ---

struct page {
    FILE *out;
    struct anl_diagonals_worm worms[FILM_SIDE * FILM_SIDE];
    uint32_t followed;
};

// Two numbers for each flit: its register; its worm, its index and whether it stands.
static void put_step(void *user, const struct film *film, uint64_t step)
{
    struct page *page = user;
    bool more = false;
    fprintf(page->out, "%s[", step ? ",\n" : "");
    for (uint32_t i = 0; i < REGISTERS; i++) {
        const struct anl_diagonals_register *flit = &film->at[i];
        if (!flit->valid) continue;
        fprintf(page->out, "%s%" PRIu32 ",%" PRIu32, more ? "," : "", i,
                flit->worm << 2 | flit->index << 1 | film->stands[i]);
        more = true;
    }
    fputs("]", page->out);
    page->followed = film->followed;
    for (uint32_t i = 0; i < FILM_SIDE * FILM_SIDE; i++)
        page->worms[i] = film->worms[i];
}

static void put_worms(const struct page *page)
{
    fputs("],\n\"worms\":[", page->out);
    for (uint32_t i = 0; i < FILM_SIDE * FILM_SIDE; i++) {
        const struct anl_diagonals_worm *worm = &page->worms[i];
        fprintf(page->out, "%s[%" PRIu32 ",%" PRIu32 ",\"%s", i ? ",\n" : "", worm->source,
                worm->destination, anl_diagonals_state_name(worm->state));
        if (worm->state > ANL_DIAGONALS_ON_LINKS)
            fprintf(page->out, " in step %" PRIu64, worm->cycle);
        fputs("\"]", page->out);
    }
}

static void put_phases(FILE *out, const struct times *times)
{
    fprintf(out,
            "],\n\"phases\":[[0,\"distribution\"],[%" PRIu64 ",\"phase 1a\"],[%" PRIu64
            ",\"phase 1b\"],[%" PRIu64 ",\"reorder\"],[%" PRIu64 ",\"phase 2\"],[%" PRIu64
            ",\"delivery\"]],\n\"round\":%" PRIu32,
            times->inside, times->anywhere, times->reorder, times->search, times->delivery,
            times->round);
}

enum anl_status film_page(FILE *out, struct anl_error *error)
{
    struct page page = {.out = out};
    const struct anl_diagonals_config config = film_config();
    const struct times times = film_times(&config);
    fputs(head, out);
    fputs("const film={\"steps\":[", out);
    const enum anl_status status = film_play(put_step, &page, error);
    put_worms(&page);
    put_phases(out, &times);
    fprintf(out, ",\"n\":%d,\"c\":%" PRIu32 ",\"length\":%" PRIu32 ",\"followed\":%" PRIu32 "};\n",
            FILM_SIDE, config.c, config.length, page.followed);
    fputs(script, out);
    return status;
}

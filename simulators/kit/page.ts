import type { Faults } from './faults.ts';

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** The HTML document of a simulator's page: plain, readable on a phone, light and dark. */
export function framePage(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent); --soft: color-mix(in srgb, currentColor 6%, transparent); }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; margin: 0 0 .25rem; } h2 { font-size: 1.05rem; margin: 2rem 0 .5rem; } summary { font-weight: 600; padding: .4rem 0; }
p.note { opacity: .75; margin: 0 0 1rem; } .word { font-weight: 600; } nav a { display: inline-block; padding: .35rem 1rem .35rem 0; }
table { border-collapse: collapse; width: 100%; } td { text-align: left; padding: .4rem .5rem; border-bottom: 1px solid var(--line); }
button { font: inherit; padding: .3rem .75rem; border: 1px solid var(--line); border-radius: 6px; background: var(--soft); color: inherit; cursor: pointer; margin: .1rem; min-height: 2rem; }
button:hover { border-color: currentColor; } button:focus-visible { outline: 2px solid; outline-offset: 2px; }
button.primary { background: #0866ff; border-color: #0866ff; color: #fff; }
fieldset { border: 1px solid var(--line); border-radius: 8px; margin: 1rem 0; padding: .5rem 1rem; } legend { padding: 0 .35rem; font-weight: 600; }
label { display: flex; gap: .6rem; align-items: start; padding: .3rem 0; } label input { margin: .3rem 0 0; }
@media (max-width: 40rem) { tr, td { display: block; } tr { border-bottom: 1px solid var(--line); padding: .5rem 0; } td { border: 0; padding: .15rem 0; } }
.card { border: 1px solid var(--line); border-radius: 12px; padding: 1.5rem; max-width: 28rem; margin: 2rem auto; }
.card button { display: flex; justify-content: space-between; align-items: baseline; gap: .75rem; width: 100%; text-align: left; padding: .6rem .9rem; margin: .25rem 0; }
.card button.quiet { justify-content: center; background: none; border-color: transparent; } .card small { opacity: .8; }
.banner { margin: 0 0 1rem; padding: .5rem .75rem; border-radius: 8px; background: light-dark(#fff3cd, #4d3c00); color: light-dark(#5c4400, #ffe9a8); }
.mails { list-style: none; padding: 0; border-top: 1px solid var(--line); } .mails li { padding: .5rem 0; border-bottom: 1px solid var(--line); } .mails a { font-weight: 600; }
.mail { box-sizing: border-box; width: 100%; border: 1px solid var(--line); border-radius: 8px; margin: .5rem 0; } iframe.mail { height: 75vh; } pre.mail { padding: 1rem; white-space: pre-wrap; }
</style></head><body>${body}</body></html>`;
}

export interface ControlPage {
  title: string;
  /** What this simulator stands for, and what an order here does. */
  note: string;
  sections: [heading: string, html: string][];
  /** What can go wrong, as buttons; the body is that of an order to `/faults`. */
  faults: [label: string, body: object][];
}

/** The control page of a simulator: what can be ordered, and what was ordered. */
export function controlPage(ordered: Faults, { title, note, sections, faults }: ControlPage): string {
  const shown = sections.map(([heading, html]) => `<h2>${escapeHtml(heading)}</h2>${html}`);
  const list = ordered.list().map(({ kind, code, hits, times }) => {
    const what = [kind, code].filter((one) => one !== undefined).join(' ');
    return `<li>${escapeHtml(what)}: applied ${hits} of ${times === 0 ? 'any number of' : times} times</li>`;
  });
  return framePage(
    `${title} (simulated)`,
    `<h1>${escapeHtml(title)}, simulated</h1><p class="note">${note}</p>${shown.join('')}
     <h2>Make it fail</h2>${faults.map(([label, body]) => controlButton(label, '/_sim/faults', body)).join('')}
     ${list.length === 0 ? '' : `<ul>${list.join('')}</ul>${controlButton('Remove all faults', '/_sim/faults', null)}`}
     <h2>Start over</h2>${controlButton('Reset this simulator', '/_sim/reset')}
     <script>
       document.addEventListener('click', async ({ target }) => {
         const { path, body } = target.dataset;
         if (path === undefined) return;
         target.disabled = true;
         const answer = await fetch(path, body === 'null' ? { method: 'DELETE' } : { method: 'POST', body });
         if (!answer.ok) alert(await answer.text());
         location.reload();
       });
     </script>`,
  );
}

/**
 * Sends an order to the control API and reloads the page.
 * @param body null: DELETE
 * @param name the label for screen readers
 */
export function controlButton(label: string, path: string, body: object | null = {}, name = label): string {
  return `<button aria-label="${escapeHtml(name)}" data-path="${escapeHtml(path)}" data-body="${escapeHtml(JSON.stringify(body))}">${escapeHtml(label)}</button>`;
}

/** A table; the cells are HTML. */
export function table(rows: readonly (readonly string[])[]): string {
  return `<table>${rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`;
}

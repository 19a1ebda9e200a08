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
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent); }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; margin: 0 0 .25rem; } h2 { font-size: 1.05rem; margin: 2rem 0 .5rem; } .note { opacity: .75; margin: 0 0 1rem; }
table { border-collapse: collapse; width: 100%; } tr { border-bottom: 1px solid var(--line); } td { padding: .4rem .5rem; }
@media (max-width: 40rem) { tr { display: block; padding: .3rem 0; } td { display: block; padding: .1rem .5rem; } td:empty { display: none; } }
button { font: inherit; padding: .3rem .75rem; border: 1px solid var(--line); border-radius: 6px; cursor: pointer; margin: .1rem; min-height: 2rem; }
fieldset { border: 1px solid var(--line); border-radius: 8px; } label { display: flex; gap: .6rem; align-items: start; padding: .3rem 0; }
.card { border: 1px solid var(--line); border-radius: 12px; padding: 1.5rem; max-width: 28rem; margin: 2rem auto; } .card button { width: 100%; margin: .25rem 0; }
.banner { padding: .5rem .75rem; border-radius: 8px; background: light-dark(#fff3cd, #4d3c00); color: light-dark(#5c4400, #ffe9a8); }
iframe, pre { box-sizing: border-box; width: 100%; border: 1px solid var(--line); border-radius: 8px; } iframe { height: 75vh; } pre { padding: 1rem; white-space: pre-wrap; }
</style></head><body>${body}</body></html>`;
}

/** Sends a body to the control API; null: DELETE. */
export type Button = [label: string, path: string, body: object | null];

export interface ControlPage {
  title: string;
  /** What this simulator stands for, and what a button here does. */
  note: string;
  /** Tables: what there is, and what can be done to it. A text with an address is a link. */
  sections: { heading: string; rows: { texts: string[]; address?: string; buttons?: Button[] }[] }[];
  /** What can go wrong; the body is that of an order to `/faults`. */
  faults: [label: string, body: object][];
}

/** The control page of a simulator: what can be ordered, and what was ordered. */
export function controlPage(faults: Faults, page: ControlPage): string {
  const sections = page.sections.map(({ heading, rows }) => {
    const shown = rows.map(({ texts, address, buttons = [] }) => {
      const [first = '', ...others] = texts.map(escapeHtml);
      const cells = [address === undefined ? first : `<a href="${address}">${first}</a>`, ...others];
      return `<tr>${[...cells, buttons.map(buttonHtml).join('')].map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
    });
    return `<h2>${escapeHtml(heading)}</h2><table>${shown.join('')}</table>`;
  });
  const orders = page.faults.map(([label, body]) => buttonHtml([label, '/_sim/faults', body]));
  const ordered = faults.list().map(({ kind, code, hits, times }) => {
    const limit = times === 0 ? 'any number of' : times;
    return `<li>${escapeHtml(`${kind} ${code ?? ''}`)}: applied ${hits} of ${limit} times</li>`;
  });
  return framePage(
    `${page.title} (simulated)`,
    `<h1>${escapeHtml(page.title)}, simulated</h1><p class="note">${escapeHtml(page.note)}</p>${sections.join('')}
     <h2>Make it fail</h2>${orders.join('')}<ul>${ordered.join('')}</ul>
     ${buttonHtml(['Remove all faults', '/_sim/faults', null])}${buttonHtml(['Reset this simulator', '/_sim/reset', {}])}
     <script>
       document.addEventListener('click', async ({ target }) => {
         const { path, body } = target.dataset;
         if (path === undefined) return;
         const answer = await fetch(path, body === 'null' ? { method: 'DELETE' } : { method: 'POST', body });
         if (!answer.ok) alert(await answer.text());
         location.reload();
       });
     </script>`,
  );
}

function buttonHtml([label, path, body]: Button): string {
  const order = escapeHtml(JSON.stringify(body));
  return `<button data-path="${escapeHtml(path)}" data-body="${order}">${escapeHtml(label)}</button>`;
}

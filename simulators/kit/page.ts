import type { Faults } from './faults.ts';
import type { RequestLog } from './request-log.ts';

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
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.4rem; margin: 0 0 .25rem; } h2 { font-size: 1.05rem; margin: 2rem 0 .5rem; }
p.note { opacity: .75; margin: 0 0 1rem; } .table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: .4rem .5rem; border-bottom: 1px solid var(--line); vertical-align: middle; }
button { font: inherit; padding: .3rem .75rem; border: 1px solid var(--line); border-radius: 6px; background: var(--soft); color: inherit; cursor: pointer; margin: .1rem; min-height: 2rem; }
button:hover { border-color: currentColor; } button:focus-visible { outline: 2px solid; outline-offset: 2px; }
button.primary { background: #0866ff; border-color: #0866ff; color: #fff; }
fieldset { border: 1px solid var(--line); border-radius: 8px; margin: 1rem 0; padding: .5rem 1rem; } legend { padding: 0 .35rem; font-weight: 600; }
label { display: flex; gap: .6rem; align-items: start; padding: .3rem 0; } label input { margin: .3rem 0 0; }
code { font-size: .85em; background: var(--soft); padding: .1rem .3rem; border-radius: 4px; } .word { font-weight: 600; }
@media (max-width: 40rem) { tr, td { display: block; } tr { border-bottom: 1px solid var(--line); padding: .5rem 0; } td { border: 0; padding: .15rem 0; } }
.card { border: 1px solid var(--line); border-radius: 12px; padding: 1.5rem; max-width: 28rem; margin: 2rem auto; }
.card button { width: 100%; text-align: left; padding: .6rem .9rem; margin: .25rem 0; } nav a { margin-right: 1rem; }
.card button { display: flex; justify-content: space-between; align-items: baseline; gap: .75rem; } .card small { opacity: .8; }
.card button.quiet { justify-content: center; background: none; border-color: transparent; }
.banner { margin: 0 0 1rem; padding: .5rem .75rem; border-radius: 8px; background: light-dark(#fff3cd, #4d3c00); color: light-dark(#5c4400, #ffe9a8); }
.mails { list-style: none; padding: 0; border-top: 1px solid var(--line); } .mails li { padding: .5rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.mails a { font-weight: 600; } .subject { overflow-wrap: anywhere; margin-top: .75rem; } nav a[aria-current] { font-weight: 600; color: inherit; text-decoration: none; } nav a { display: inline-block; padding: .35rem 0; }
.fields { display: grid; grid-template-columns: fit-content(40%) minmax(0, 1fr); gap: .2rem 1rem; margin: .5rem 0 1rem; } .fields dt { opacity: .75; overflow-wrap: anywhere; } .fields dd { margin: 0; overflow-wrap: anywhere; white-space: pre-line; }
iframe.mail, pre.mail { box-sizing: border-box; width: 100%; border: 1px solid var(--line); border-radius: 8px; margin: .5rem 0; } iframe.mail { height: 75vh; } pre.mail { padding: 1rem; white-space: pre-wrap; overflow-wrap: anywhere; }
@media (max-width: 40rem) { .fields { grid-template-columns: 1fr; gap: 0; } .fields dd { margin-bottom: .4rem; } }
</style></head><body>${body}<script>
document.addEventListener('click', async (event) => {
  const button = event.target.closest('button[data-post], button[data-delete]');
  if (!button) return;
  event.preventDefault();
  button.disabled = true;
  const remove = button.dataset.delete !== undefined;
  const answer = await fetch(remove ? button.dataset.delete : button.dataset.post, {
    method: remove ? 'DELETE' : 'POST',
    headers: { 'content-type': 'application/json' },
    body: remove ? undefined : button.dataset.body || '{}',
  });
  if (!answer.ok) alert(await answer.text());
  location.reload();
});
for (const section of document.querySelectorAll('details[data-keep]')) {
  const key = 'open ' + section.dataset.keep;
  section.open = sessionStorage.getItem(key) === 'yes';
  section.addEventListener('toggle', () => sessionStorage.setItem(key, section.open ? 'yes' : 'no'));
}
</script></body></html>`;
}

/** Sends JSON to the control API and reloads the page. `name` is the label for screen readers. */
export function controlButton(label: string, path: string, body: unknown = {}, name = label): string {
  return `<button aria-label="${escapeHtml(name)}" data-post="${escapeHtml(path)}" data-body="${escapeHtml(JSON.stringify(body))}">${escapeHtml(label)}</button>`;
}

export function table(rows: readonly string[]): string {
  return `<div class="table"><table>${rows.join('')}</table></div>`;
}

/** Buttons that order faults, and the faults that were ordered. */
export function faultSection(offered: readonly [label: string, body: object][], faults: Faults): string {
  const buttons = offered.map(([label, body]) => controlButton(label, '/_sim/faults', body));
  const ordered = faults.list().map(({ id, kind, stage, code, match, hits, times, parked }) => {
    const aims = [kind, stage, code, ...Object.values(match)].filter((one) => one !== undefined).join(' ');
    const text = `${aims}: ${hits} of ${times === 0 ? 'any' : times}, ${parked} parked`;
    const release = parked > 0 ? controlButton('Release', `/_sim/faults/${id}/release`) : '';
    return `<li><code>${escapeHtml(text)}</code> ${release}<button data-delete="/_sim/faults/${id}">Remove</button></li>`;
  });
  return `<h2>Faults</h2>${buttons.join('')}<button data-delete="/_sim/faults">Remove all</button><ul>${ordered.join('')}</ul>`;
}

const REQUESTS_SHOWN = 25;

export function requestSection(log: RequestLog): string {
  const rows = log
    .entries()
    .slice(-REQUESTS_SHOWN)
    .toReversed()
    .map(({ at, method, path, status, batch }) => {
      const operations = Array.isArray(batch) ? `batch of ${batch.length}` : '';
      return `<tr><td>${at.slice(11, 23)}</td><td>${escapeHtml(`${method} ${path}`)}</td><td>${status === 0 ? 'open or cut' : status}</td><td>${operations}</td></tr>`;
    });
  return `<h2>Last requests</h2>${table(rows)}`;
}

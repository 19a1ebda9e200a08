export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** The frame of a simulator's page: plain, readable on a phone, light and dark. */
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
fieldset { border: 1px solid var(--line); border-radius: 8px; margin: 1rem 0; padding: .75rem 1rem; } label { display: block; padding: .2rem 0; }
code { background: var(--soft); padding: .1rem .3rem; border-radius: 4px; } .word { font-weight: 600; }
.card { border: 1px solid var(--line); border-radius: 12px; padding: 1.5rem; max-width: 28rem; margin: 2rem auto; }
.card button { width: 100%; text-align: left; padding: .6rem .9rem; margin: .25rem 0; } nav a { margin-right: 1rem; }
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
</script></body></html>`;
}

/** A button that sends JSON to the control door and shows the page anew. */
export function controlButton(label: string, path: string, body: unknown = {}): string {
  return `<button data-post="${escapeHtml(path)}" data-body="${escapeHtml(JSON.stringify(body))}">${escapeHtml(label)}</button>`;
}

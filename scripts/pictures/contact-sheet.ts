export interface Picture {
  area: string;
  state: string;
  /** Relative to the sheet. */
  file: string;
  width: number;
}

/** All pictures on one page, by area and state. */
export function contactSheet(pictures: readonly Picture[]): string {
  const areas = Map.groupBy(pictures, ({ area }) => area);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>SmartPause, every state</title>
<style>
  body { margin: 24px; font: 15px/1.5 system-ui; color: #16181d; background: #fff }
  h2 { margin: 40px 0 0 } h3 { margin: 24px 0 8px; font-size: 15px }
  nav a { margin-right: 16px }
  .row { display: flex; gap: 12px; overflow-x: auto; align-items: flex-start }
  img { display: block; border: 1px solid #ccd; max-height: 640px; object-fit: cover; object-position: top }
  img.wide { width: 480px } img.narrow { width: 195px }
</style>
<h1>SmartPause, every state</h1>
<nav>${[...areas.keys()].map((area) => `<a href="#${area}">${area}</a>`).join('')}</nav>
${[...areas].map(([area, ofArea]) => section(area, ofArea)).join('\n')}
</html>
`;
}

function section(area: string, pictures: readonly Picture[]): string {
  const states = Map.groupBy(pictures, ({ state }) => state);
  const rows = [...states].map(
    ([state, ofState]) => `<h3>${state}</h3>\n<div class="row">${ofState.map(thumbnail).join('')}</div>`,
  );
  return `<h2 id="${area}">${area}</h2>\n${rows.join('\n')}`;
}

function thumbnail({ file, width }: Picture): string {
  return `<a href="${file}"><img loading="lazy" class="${width > 600 ? 'wide' : 'narrow'}" src="${file}" alt="${file}"></a>`;
}

import type { OpenApi, Operation, Schema } from './types.ts';

/** Where an answer's own nonce goes in. */
export const NONCE_PLACE = 'nonce="STYLE_NONCE"';

const STYLES = `
:root { color-scheme: light dark; --text: #1a1b1e; --soft: #5c5f66; --line: #dee2e6; --ground: #fff; --raised: #f8f9fa;
  --accent: #2b5fd9; --get: #1b6e3c; --post: #8a4b00; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e5e7; --soft: #a6a7ab; --line: #373a40; --ground: #141517;
  --raised: #1d1e21; --accent: #8ab0ff; --get: #69d391; --post: #ffb463; } }
* { box-sizing: border-box; }
body { margin: 0; color: var(--text); background: var(--ground); line-height: 1.5;
  font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', sans-serif; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -100vw; } .skip:focus { left: 8px; top: 8px; background: var(--ground); padding: 8px; }
.page { display: grid; grid-template-columns: 270px minmax(0, 820px); gap: 48px; max-width: 1180px; margin: 0 auto; padding: 0 24px; }
nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 28px 0; font-size: 13.5px; }
nav h2 { font-size: 12px; margin: 18px 0 4px; color: var(--soft); font-weight: 600; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: 3px 0; color: inherit; text-decoration: none; overflow-wrap: anywhere; }
nav a:hover { color: var(--accent); text-decoration: underline; }
main { padding: 28px 0 96px; } h1 { font-size: 26px; margin: 0 0 8px; letter-spacing: -0.01em; }
main > section > h2 { font-size: 19px; margin: 48px 0 4px; }
article { border-top: 1px solid var(--line); padding: 20px 0 8px; scroll-margin-top: 12px; }
article:target { border-top-color: var(--accent); }
h3 { font: 600 15px/1.4 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; margin: 0; overflow-wrap: anywhere; }
h3 a { color: inherit; text-decoration: none; } h4 { font-size: 13px; color: var(--soft); font-weight: 600; margin: 14px 0 4px; }
.get { color: var(--get); } .post { color: var(--post); } p { margin: 6px 0; } .soft { color: var(--soft); font-size: 13.5px; }
code, pre { font: 13px/1.55 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; } code { overflow-wrap: anywhere; }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: 12px 14px; overflow-x: auto; margin: 6px 0; }
summary { cursor: pointer; padding: 3px 0; font-size: 14px; } details { margin: 2px 0; }
dl { display: grid; grid-template-columns: minmax(90px, max-content) 1fr; gap: 4px 16px; margin: 6px 0; }
dt { font-weight: 600; font-variant-numeric: tabular-nums; } dd { margin: 0; }
@media (max-width: 860px) { .page { display: block; padding: 0 16px; } nav { position: static; max-height: none; padding: 16px 0 0; }
  nav details > summary { padding: 10px 0; } main { padding-top: 16px; } }
`;

/** The document for people: whole without a script, so that nothing in it can run and nothing is loaded. */
export function referencePage(document: OpenApi): string {
  const { info, tags, paths, components } = document;
  const calls = Object.entries(paths).flatMap(([path, item]) =>
    (['get', 'post'] as const).flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ path, method, operation }];
    }),
  );
  const chapters = tags.map(({ name }) => ({
    name,
    calls: calls.filter(({ operation }) => operation.tags.includes(name)),
  }));
  const places = chapters.map(
    ({ name, calls: some }) =>
      `<h2>${escape(name)}</h2><ul>${some
        .map(({ path, operation }) => `<li><a href="#${operation.operationId}">${escape(path)}</a></li>`)
        .join('')}</ul>`,
  );
  const sections = chapters.map(
    ({ name, calls: some }) =>
      `<section><h2>${escape(name)}</h2>${some.map((call) => articleOf(call)).join('')}</section>`,
  );
  const shapes = Object.entries(components.schemas).map(
    ([name, schema]) =>
      `<article id="shape-${name}"><h3><a href="#shape-${name}">${name}</a></h3><pre tabindex="0">${shapeOf(schema)}</pre></article>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>Calls · SmartPause</title><style ${NONCE_PLACE}>${STYLES}</style></head>
<body><a class="skip" href="#calls">Skip to the calls</a><div class="page">
<nav aria-label="Calls">${places.join('')}<h2>Shapes</h2><ul>${Object.keys(components.schemas)
    .map((name) => `<li><a href="#shape-${name}">${name}</a></li>`)
    .join('')}</ul></nav>
<main id="calls"><h1>Calls of ${escape(info.title)} <span class="soft">${escape(info.version)}</span></h1>
<p>${escape(info.description)}</p>
<p>As an OpenAPI document, for programs: <a href="/api/openapi.json">/api/openapi.json</a>. A call that needs a session has it in its
<code>Authorization</code> header: <code>Bearer …</code>. A refusal names its code and says what is wrong in a sentence.</p>
${sections.join('')}<section><h2>Shapes</h2>${shapes.join('')}</section></main></div></body></html>
`;
}

function articleOf({
  path,
  method,
  operation,
}: {
  path: string;
  method: 'get' | 'post';
  operation: Operation;
}): string {
  const { operationId, summary, description, security, parameters = [], requestBody, responses } = operation;
  const who = security.length === 0 ? 'Anybody.' : (description ?? 'Whoever has a session.');
  const given = parameters.map(
    ({ name, in: place, schema, required }) =>
      `<dt><code>${escape(name)}</code></dt><dd>in the ${place}${required ? '' : ', may be left out'}: <code>${shapeOf(schema)}</code></dd>`,
  );
  const body = Object.entries(requestBody?.content ?? {}).map(
    ([type, { schema }]) =>
      `<h4>Body${type === 'application/json' ? '' : `, ${escape(type)}`}${requestBody?.required === true ? '' : ', may be left out'}</h4><pre tabindex="0">${shapeOf(schema)}</pre>`,
  );
  const [good, ...refusals] = Object.entries(responses);
  const reply = Object.values(good?.[1].content ?? {}).map(
    ({ schema }) => `<pre tabindex="0">${shapeOf(schema)}</pre>`,
  );
  const refused = refusals.map(
    ([status, answer]) =>
      `<dt>${status}</dt><dd>${answer.description.split('\n\n').map(inWords).join('<br />')}</dd>`,
  );
  return `<article id="${operationId}"><h3><a href="#${operationId}"><span class="${method}">${method.toUpperCase()}</span> ${escape(path)}</a></h3>
<p>${inWords(summary)}</p><p class="soft">${escape(who)}</p>
${given.length === 0 ? '' : `<h4>Parameters</h4><dl>${given.join('')}</dl>`}${body.join('')}
<h4>Answer ${good?.[0] ?? ''}${reply.length > 0 ? '' : `: ${inWords(good?.[1].description ?? '')}`}</h4>${reply.join('')}
${refused.length === 0 ? '' : `<details><summary>Refusals</summary><dl>${refused.join('')}</dl></details>`}</article>`;
}

/** A schema as one would write it down by hand. */
function shapeOf(schema: Schema, indent = ''): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return `<a href="#shape-${escape(name)}">${escape(name)}</a>`;
  }
  const several = schema.anyOf ?? schema.oneOf;
  if (several !== undefined) return several.map((one) => shapeOf(one, indent)).join(' | ');
  if (schema.allOf !== undefined) return schema.allOf.map((one) => shapeOf(one, indent)).join(' & ');
  if (schema.const !== undefined) return escape(JSON.stringify(schema.const));
  if (schema.enum !== undefined) return schema.enum.map((one) => escape(JSON.stringify(one))).join(' | ');
  if (schema.items !== undefined) return `${shapeOf(schema.items, indent)}[]`;
  if (schema.properties !== undefined) return objectOf(schema, indent);
  const type = [schema.type ?? 'anything'].flat().join(' | ');
  const more = schema.format ?? schema.pattern;
  return escape(more === undefined ? type : `${type} (${more})`);
}

function objectOf({ properties = {}, required = [] }: Schema, indent: string): string {
  const deeper = `${indent}  `;
  const lines = Object.entries(properties).map(
    ([name, schema]) =>
      `${deeper}${escape(name)}${required.includes(name) ? '' : '?'}: ${shapeOf(schema, deeper)}`,
  );
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${indent}}`;
}

function inWords(text: string): string {
  return escape(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

const SCHEMES = ['dark', 'light'] as const;

/** Neither Mantine nor the bundler nests rules. */
const RULE = /([^{}]*\[data-mantine-color-scheme[^{}]*)\{([^{}]*)\}/g;

/**
 * Repeats the rules of each colour scheme for `data-mantine-color-scheme="auto"` with
 * a media query. The page is painted in the system's colours before any script runs.
 */
export function withSystemColors(css: string): string {
  return css.replace(RULE, (rule, selectors: string, body: string) =>
    [rule, ...SCHEMES.map((scheme) => bySystem(scheme, selectors, body))].join(''),
  );
}

function bySystem(scheme: (typeof SCHEMES)[number], selectors: string, body: string): string {
  const automatic = selectors.replaceAll(
    new RegExp(`\\[data-mantine-color-scheme="?${scheme}"?\\]`, 'g'),
    '[data-mantine-color-scheme=auto]',
  );
  return automatic === selectors ? '' : `@media (prefers-color-scheme:${scheme}){${automatic}{${body}}}`;
}

const SCHEMES = ['dark', 'light'] as const;

/** Rules are not nested in each other in what Mantine and the bundler write. */
const RULE = /([^{}]*\[data-mantine-color-scheme[^{}]*)\{([^{}]*)\}/g;

/**
 * The same rules for `data-mantine-color-scheme="auto"`, as the system has it: so that a page can be painted in the right
 * colours before any script has said which.
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

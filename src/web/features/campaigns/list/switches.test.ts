import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { SmartPauseToggle } from './switches.tsx';

test('[DASH-11] the toggle has three sizes and is named after its campaign', () => {
  const sizes = ['sm', 'md', 'lg'] as const;
  const shown = sizes.map((size) => {
    const props = { campaignName: 'Hats', on: true, disabled: false, size, onToggle: () => undefined };
    const markup = renderToStaticMarkup(createElement(SmartPauseToggle, props));
    expect(markup).toMatch(/<input[^>]*aria-label="SmartPause for Hats"/);
    expect(markup).toMatch(/<input[^>]*role="switch"/);
    return /data-size="(\w+)"/.exec(markup)?.[1];
  });
  expect(shown).toEqual(sizes);
});

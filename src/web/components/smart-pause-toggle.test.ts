import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { SmartPauseToggle } from './smart-pause-toggle.tsx';

test('[DASH-11] the switch exists in three sizes, and is called after its campaign', () => {
  const sizes = ['sm', 'md', 'lg'] as const;
  const heights = sizes.map((size) => {
    const props = { campaignName: 'Hats', on: true, disabled: false, size, onToggle: () => undefined };
    const markup = renderToStaticMarkup(
      createElement(MantineProvider, null, createElement(SmartPauseToggle, props)),
    );
    expect(markup).toMatch(/<input[^>]*aria-label="SmartPause for Hats"/);
    expect(markup).toMatch(/<input[^>]*role="switch"/);
    return /--switch-height:([^;"]+)/.exec(markup)?.[1];
  });
  expect(heights).toEqual(sizes.map((size) => `var(--switch-height-${size})`));
});

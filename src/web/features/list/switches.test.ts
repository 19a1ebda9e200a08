import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { SmartPauseToggleProps } from './switches.tsx';
import { SmartPauseToggle } from './switches.tsx';

function markupOf(given: Pick<SmartPauseToggleProps, 'size' | 'isSaving'>): string {
  const props = { campaignName: 'Hats', on: true, disabled: false, onToggle: () => undefined };
  return renderToStaticMarkup(createElement(SmartPauseToggle, { ...props, ...given }));
}

test('[DASH-11] the toggle has three sizes and is named after its campaign', () => {
  const sizes = ['sm', 'md', 'lg'] as const;
  const shown = sizes.map((size) => {
    const markup = markupOf({ size, isSaving: false });
    expect(markup).toMatch(/<input[^>]*aria-label="SmartPause for Hats"/);
    expect(markup).toMatch(/<input[^>]*role="switch"/);
    return /data-size="(\w+)"/.exec(markup)?.[1];
  });
  expect(shown).toEqual(sizes);
});

test('the toggle says that it is locked during another change, and keeps the focus', () => {
  const markup = markupOf({ size: 'md', isSaving: true });
  expect(markup).toMatch(/aria-disabled="true" title="Saving…"/);
  expect(markup).not.toContain(' disabled');
});

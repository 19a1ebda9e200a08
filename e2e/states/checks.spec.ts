import { describe, expect, test } from 'vitest';
import { PHONE, withKeptPage } from '../../scripts/browser/browser.ts';
import { violationsOn } from './axe.ts';
import { cutTextOn } from './cut-text.ts';

/** The results of both checks for a page with this body. */
function checked(body: string): Promise<{ axe: string[]; cut: string[] }> {
  const page = `<!doctype html><html lang="en"><title>A page</title>
    <body style="margin: 0; font: 16px/1.5 sans-serif">${body}</body></html>`;
  return withKeptPage(
    async (shown) => {
      await shown.setContent(page);
      return { axe: await violationsOn(shown), cut: await cutTextOn(shown) };
    },
    { viewport: PHONE },
  );
}

const LONG = 'Words that are far too long for a box as small as this one';
const clipped = 'width: 80px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis';

describe('the checks of every state can fail', () => {
  test.each([
    ['a box that hides what is too wide', `<p style="${clipped}">${LONG}</p>`, /^cut: "Words/],
    [
      'a box that hides what is too high',
      `<p style="height: 30px; width: 90px; overflow: clip">${LONG}</p>`,
      /^cut:/,
    ],
    ['a box around the box', `<div style="${clipped}"><b><i>${LONG}</i></b></div>`, /^cut:/],
    ['a title that says something else', `<p title="Words" style="${clipped}">${LONG}</p>`, /^cut:/],
    ['a title where it is not read', `<p title="${LONG}" style="${clipped}">${LONG}</p>`, /^cut:/],
    ['a placeholder', `<input placeholder="${LONG}" style="width: 60px">`, /^cut: the placeholder "Words/],
    ['a field', `<input value="${LONG}" style="width: 60px">`, /^cut: the field/],
    [
      'a page that is too wide',
      `<p style="width: 700px">${LONG}</p>`,
      /^the page scrolls sideways: 700 > 390$/,
    ],
    [
      'text out of reach',
      `<p style="position: absolute; left: -40px">${LONG}</p>`,
      /^beyond the edge: "Words/,
    ],
    [
      'text on text',
      `<p>${LONG}</p><p style="margin-top: -32px">${LONG.toUpperCase()}</p>`,
      /^overlapping: "Words.* and "WORDS/,
    ],
    [
      'a line that is too low for its letters',
      `<p style="line-height: 8px"><span>One</span><br><span>Two</span></p>`,
      /^overlapping: "One" and "Two"$/,
    ],
  ])('%s', async (_what, body, fault) => {
    const { cut } = await checked(body);
    expect(cut).toContainEqual(expect.stringMatching(fault));
  });

  test.each([
    ['text that wraps', `<p>${LONG}</p>`],
    [
      'shortened, with all of it in the title',
      `<header><p title="${LONG}" style="${clipped}">${LONG}</p></header>`,
    ],
    ['shortened, and whole elsewhere', `<p style="${clipped}">${LONG}</p><p>${LONG}</p>`],
    [
      'a box that scrolls',
      `<div style="width: 80px; overflow: auto; white-space: nowrap" tabindex="0">${LONG}</div>`,
    ],
    ['for screen readers only', `<p style="position: absolute; clip: rect(0 0 0 0); width: 1px">${LONG}</p>`],
    ['invisible', `<p style="visibility: hidden; ${clipped}">${LONG}</p>`],
    [
      'a tip over the page',
      `<p>${LONG}</p><div role="tooltip" style="position: absolute; top: 16px">A tip</div>`,
    ],
  ])('nothing is wrong with %s', async (_what, body) => {
    expect((await checked(body)).cut).toEqual([]);
  });

  test.each([
    ['grey on grey', '<p style="color: #999; background: #aaa">Words</p>', /^color-contrast: p:/],
    ['a button without a name', '<button></button>', /^button-name:/],
    [
      'targets too small',
      '<button style="width: 12px; height: 12px; padding: 0; margin: 0" aria-label="A"></button>'.repeat(3),
      /^target-size:/,
    ],
  ])('%s', async (_what, body, fault) => {
    expect((await checked(body)).axe).toContainEqual(expect.stringMatching(fault));
  });
});

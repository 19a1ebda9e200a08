import { expect, test } from 'vitest';
import { theme } from './theme.ts';

test.each(['light', 'dark'] as const)(
  'white text on the accent has a contrast of 4.5:1 in the %s scheme',
  (scheme) => {
    const { primaryShade: shade, colors } = theme;
    if (typeof shade !== 'object') throw new Error('the accent has one shade for each scheme');
    const filled = colors?.['accent']?.[shade[scheme] ?? 0];
    expect(1.05 / (luminance(filled ?? '#ffffff') + 0.05)).toBeGreaterThanOrEqual(4.5);
  },
);

/** Relative luminance of WCAG 2. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

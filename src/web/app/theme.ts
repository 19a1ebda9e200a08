import type { CSSVariablesResolver } from '@mantine/core';
import { createTheme } from '@mantine/core';

const FONT = "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif";

/** Blue-violet: the only accent. */
const accent = [
  '#eef1fe',
  '#dbe1fb',
  '#b6c2f5',
  '#8fa1ef',
  '#6e85ea',
  '#5a73e6',
  '#4a64dc',
  '#3b53c4',
  '#3247a6',
  '#283a87',
] as const;

/** Mantine's dark greys with more contrast between cards and background. */
const dark = [
  '#d5d9e0',
  '#b4bac4',
  '#939ba8',
  '#6b7482',
  '#3c434f',
  '#2d333d',
  '#22272f',
  '#181c22',
  '#12151a',
  '#0c0e12',
] as const;

export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 6 },
  colors: { accent, dark },
  autoContrast: true,
  luminanceThreshold: 0.32,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: FONT,
  headings: { fontFamily: FONT, fontWeight: '650' },
  // Plain objects by name, so that a page without these components does not load them.
  components: {
    Badge: { defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 600 } },
    Card: { defaultProps: { radius: 'lg', withBorder: true, padding: 'lg' } },
    Modal: {
      defaultProps: {
        centered: true,
        closeButtonProps: { 'aria-label': 'Close' },
        radius: 'lg',
        transitionProps: { duration: 150 },
        styles: {
          title: { fontWeight: 600, lineHeight: 1.4, overflowWrap: 'anywhere' },
          header: { background: 'var(--ground-card)' },
          content: { background: 'var(--ground-card)' },
        },
      },
    },
    Tooltip: {
      defaultProps: {
        withArrow: true,
        multiline: true,
        maw: 300,
        events: { hover: true, focus: true, touch: true },
        transitionProps: { duration: 120 },
      },
    },
  },
});

/** Background and text of badges and banners; Mantine's yellow, orange and green miss 4.5:1. */
const tints: Record<'light' | 'dark', Record<string, readonly [ground: string, words: string]>> = {
  light: {
    green: ['#dff5e4', '#17622d'],
    yellow: ['#fff4cc', '#6f4e00'],
    orange: ['#ffe9da', '#97360a'],
    red: ['#fde7e7', '#a31919'],
    grape: ['#f3e4fa', '#74208a'],
    blue: ['#e4effd', '#174f92'],
    gray: ['#e9ecf1', '#454d59'],
  },
  dark: {
    green: ['#12301c', '#7fdc98'],
    yellow: ['#33290b', '#f5d565'],
    orange: ['#3a2110', '#ffb27a'],
    red: ['#3a1618', '#ff9d9d'],
    grape: ['#331a3d', '#e0a6f2'],
    blue: ['#12263d', '#8fc1fb'],
    gray: ['#262c35', '#b8c0cc'],
  },
};

function tintVariables(scheme: keyof typeof tints): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const [color, [ground, words]] of Object.entries(tints[scheme])) {
    variables[`--mantine-color-${color}-light`] = ground;
    variables[`--mantine-color-${color}-light-color`] = words;
  }
  return variables;
}

/** Semantic colours; each has 3:1 as a shape and 4.5:1 as text in both schemes. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...tintVariables('light'),
    '--mantine-color-body': '#f6f7f9',
    '--mantine-color-dimmed': '#5b6472',
    '--ground-card': '#ffffff',
    '--ground-placeholder': '#e7eaef',
    '--status-up': '#1c7c36',
    '--status-low': '#8a6d00',
    '--status-medium': '#c2410c',
    '--status-high': '#c11f1f',
    '--status-unknown': '#5b6472',
  },
  dark: {
    ...tintVariables('dark'),
    '--mantine-color-body': '#0f1216',
    '--mantine-color-dimmed': '#98a1ae',
    '--ground-card': '#181c22',
    '--ground-placeholder': '#262c35',
    '--status-up': '#4ecb71',
    '--status-low': '#f2cc45',
    '--status-medium': '#ff9a4d',
    '--status-high': '#ff7171',
    '--status-unknown': '#98a1ae',
  },
});

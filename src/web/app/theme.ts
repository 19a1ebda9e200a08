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

const dialog = {
  closeButtonProps: { 'aria-label': 'Close' },
  transitionProps: { duration: 150 },
  styles: {
    title: { fontSize: 18, fontWeight: 650, lineHeight: 1.4, overflowWrap: 'anywhere' },
    header: { background: 'var(--ground-card)', alignItems: 'flex-start' },
    content: { background: 'var(--ground-card)' },
  },
};

export const theme = createTheme({
  primaryColor: 'accent',
  black: '#1d2330',
  primaryShade: { light: 7, dark: 6 },
  colors: { accent, dark },
  autoContrast: true,
  luminanceThreshold: 0.32,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: FONT,
  headings: { fontFamily: FONT, fontWeight: '650', textWrap: 'balance' },
  // Plain objects by name, so that a page without these components does not load them.
  components: {
    Badge: { defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 600 } },
    Card: { defaultProps: { radius: 'lg', withBorder: true, padding: 'lg' } },
    Drawer: { defaultProps: dialog },
    Modal: { defaultProps: { ...dialog, centered: true, radius: 'lg' } },
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

type Colors = readonly [light: string, dark: string];

/** Background and text of badges and banners; Mantine's yellow, orange and green miss 4.5:1. */
const TINTS: Record<string, { ground: Colors; words: Colors }> = {
  accent: { ground: ['#dbe1fb', '#242f60'], words: ['#283a87', '#b6c2f5'] },
  green: { ground: ['#dff5e4', '#12301c'], words: ['#17622d', '#7fdc98'] },
  yellow: { ground: ['#fff4cc', '#33290b'], words: ['#6f4e00', '#f5d565'] },
  orange: { ground: ['#ffe9da', '#3a2110'], words: ['#97360a', '#ffb27a'] },
  red: { ground: ['#fde7e7', '#3a1618'], words: ['#a31919', '#ff9d9d'] },
  grape: { ground: ['#f3e4fa', '#331a3d'], words: ['#74208a', '#e0a6f2'] },
  blue: { ground: ['#e4effd', '#12263d'], words: ['#174f92', '#8fc1fb'] },
  gray: { ground: ['#e9ecf1', '#262c35'], words: ['#454d59', '#b8c0cc'] },
};

/** Semantic colours; each has 3:1 as a shape and 4.5:1 as text in both schemes; disabled text has 3:1. */
const COLORS: Record<string, Colors> = {
  '--mantine-color-default-color': ['#1d2330', '#d5d9e0'],
  '--mantine-color-body': ['#f6f7f9', '#0f1216'],
  '--mantine-color-disabled-color': ['#7c8490', '#7d8694'],
  '--mantine-color-dimmed': ['#5b6472', '#98a1ae'],
  '--mantine-color-anchor': ['#3b53c4', '#8fa1ef'],
  '--mantine-color-placeholder': ['#6a7280', '#98a1ae'],
  '--mantine-color-error': ['#c11f1f', '#ff7171'],
  '--control-border': ['#868e96', '#6b7482'],
  '--ground-card': ['#ffffff', '#181c22'],
  '--ground-placeholder': ['#e7eaef', '#262c35'],
  '--status-up': ['#1c7c36', '#4ecb71'],
  '--status-low': ['#8a6d00', '#f2cc45'],
  '--status-medium': ['#c2410c', '#ff9a4d'],
  '--status-high': ['#c11f1f', '#ff7171'],
  '--status-unknown': ['#5b6472', '#98a1ae'],
};

export const cssVariables: CSSVariablesResolver = () => {
  const tints = Object.entries(TINTS).flatMap(([color, { ground, words }]) => [
    [`--mantine-color-${color}-light`, ground] as const,
    [`--mantine-color-${color}-light-color`, words] as const,
  ]);
  const all = [...tints, ...Object.entries(COLORS)];
  return {
    variables: {},
    light: Object.fromEntries(all.map(([name, [light]]) => [name, light])),
    dark: Object.fromEntries(all.map(([name, [, dark]]) => [name, dark])),
  };
};

import '../start/base-styles.css';
import { MantineProvider } from '@mantine/core';
import { cssVariables, theme } from '../browser/theme.ts';
import { Landing } from './landing.tsx';

/** Drawn once, when the web app is built; the browser gets what came of it. */
export function LandingDocument({ styleNonce }: { styleNonce: string }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      <Landing />
    </MantineProvider>
  );
}

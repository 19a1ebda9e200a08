import { MantineProvider } from '@mantine/core';
import { StrictMode } from 'react';
import { cssVariables, theme } from '../theme.ts';
import { Landing } from './landing.tsx';

/** The same in the build and in the browser, which is what lets the one take over from the other. */
export function LandingDocument({ styleNonce }: { styleNonce: string }) {
  return (
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        getStyleNonce={() => styleNonce}
      >
        <Landing />
      </MantineProvider>
    </StrictMode>
  );
}

import '../start/base-styles.css';
import { MantineProvider } from '@mantine/core';
import { renderToString } from 'react-dom/server';
import { cssVariables, theme } from '../browser/theme.ts';
import { Landing } from './landing.tsx';

/**
 * The landing page as HTML; called once at build time.
 * @param nonce placeholder for the nonce of the styles until the server sends the page
 */
export function prerender(nonce: string): string {
  return renderToString(
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <Landing />
    </MantineProvider>,
  );
}

import './base-styles.css';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToString } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { cssVariables, theme } from './theme.ts';
import { Layout } from '../layout/layout.tsx';
import { LandingContent } from '../features/landing/landing-content.tsx';
// Last: it changes styles of Mantine.
import './app.css';

/** The landing page of a visitor as HTML, with the layout of the app; called once at build time. */
export function prerender(): string {
  const router = createMemoryRouter([
    { element: <Layout />, children: [{ path: '/', element: <LandingContent /> }] },
  ]);
  return renderToString(
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  );
}

import './base-styles.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { routes } from './router.tsx';
import { createQueryClient } from '../lib/query-client.ts';
import { cssVariables, theme } from './theme.ts';
import { startSession } from '../lib/session.ts';
// Last: it changes styles of Mantine.
import './app.css';

export function startApp(root: HTMLElement): void {
  startSession();
  const client = createQueryClient();
  root.replaceChildren();
  delete root.dataset['prerendered'];
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <QueryClientProvider client={client}>
          <RouterProvider router={createBrowserRouter(routes)} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}

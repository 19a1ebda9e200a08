import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { seconds } from '#core/time.ts';
import { LinkButton } from '../components/links.ts';
import { MessagePage } from '../components/message-page.tsx';
import { PagePlaceholder } from '../components/page-placeholder.tsx';

export function NotFound() {
  return (
    <MessagePage
      title="Page not found"
      text="There’s nothing at this address. The page may have moved, or the link may be mistyped."
    >
      <LinkButton to="/">Go home</LinkButton>
    </MessagePage>
  );
}

/** The chunk of a page could not be loaded. */
export class PageNotLoaded extends Error {}

/** Replaces a page that failed to render or to load. */
export function ErrorPage() {
  if (useRouteError() instanceof PageNotLoaded) return <NotLoaded />;
  return <Failure title="Something went wrong on this page" text="Reload to try again." />;
}

/** The page that this document started with has just loaded, and must not reload in a loop. */
const FIRST_ADDRESS = window.location.href;

/** A release deletes the chunks of the old version; a reload gets the new one. */
function NotLoaded() {
  const mayReload = window.location.href !== FIRST_ADDRESS;
  const { data: isReachable } = useQuery({
    queryKey: ['is-reachable'],
    queryFn: () =>
      fetch('/health', { cache: 'no-store', signal: AbortSignal.timeout(seconds(10)) }).then(
        // Any response of the server counts, also a 404; 5xx may come from a gateway whose server is down.
        ({ status }) => status < 500,
        () => false,
      ),
    gcTime: 0,
    meta: { isPublic: true },
    enabled: mayReload,
  });
  useEffect(() => {
    if (isReachable === true) reload();
  }, [isReachable]);
  if (mayReload && isReachable !== false) return <PagePlaceholder />;
  return (
    <Failure
      title="This page couldn’t be loaded"
      text="If you’re offline, it loads as soon as you’re back online."
    />
  );
}

function Failure({ title, text }: Record<'title' | 'text', string>) {
  return (
    <div role="alert">
      <MessagePage title={title} text={text}>
        <Button onClick={reload}>Try again</Button>
        <Button component="a" href="/" variant="default">
          Go home
        </Button>
      </MessagePage>
    </div>
  );
}

function reload(): void {
  window.location.reload();
}

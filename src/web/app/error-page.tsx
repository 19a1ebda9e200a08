import { Button } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { LinkButton } from '../components/links.ts';
import { MessagePage } from '../components/message-page.tsx';

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

/** Replaces a page that failed to render, or whose code is gone, as after a release or without a network. */
export function ErrorPage() {
  const reload = () => window.location.reload();
  useWindowEvent('online', reload);
  return (
    <div role="alert">
      <MessagePage
        title="Something went wrong on this page"
        text="Reload to try again. If you’re offline, the page loads as soon as you’re back online."
      >
        <Button onClick={reload}>Try again</Button>
        <Button component="a" href="/" variant="default">
          Go home
        </Button>
      </MessagePage>
    </div>
  );
}

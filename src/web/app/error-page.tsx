import { Button } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useRouteError } from 'react-router';
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

/** The chunk of a page could not be loaded: a release deletes those of the old version. */
export class PageNotLoaded extends Error {}

/** Replaces a page that failed to render or to load. */
export function ErrorPage() {
  const isNotLoaded = useRouteError() instanceof PageNotLoaded;
  const reload = () => window.location.reload();
  useWindowEvent('online', () => isNotLoaded && reload());
  const [title, text] = isNotLoaded
    ? [
        'This page couldn’t be loaded',
        'SmartPause may have been updated. If you’re offline, the page loads as soon as you’re back online.',
      ]
    : ['Something went wrong on this page', 'Reload to try again.'];
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

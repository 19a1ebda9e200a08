import { Button, Container, Group, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useRouteError } from 'react-router';
import { PageHeading } from '../components/page-heading.tsx';
import { PagePlaceholder } from '../components/page-placeholder.tsx';
import { useIsReachable } from '../lib/connection.ts';

/** The chunk of a page could not be loaded. */
export class PageNotLoaded extends Error {}

/** Replaces a page that failed to render or to load. */
export function ErrorPage() {
  if (useRouteError() instanceof PageNotLoaded) return <NotLoaded />;
  return <Failure title="Something went wrong on this page" text="Reload to try again." />;
}

/** The page that this document started with: it has just loaded, and must not reload again in a loop. */
const FIRST_ADDRESS = window.location.href;

/** A release deletes the chunks of the old version; a reload gets the new one. */
function NotLoaded() {
  const isReachable = useIsReachable();
  const [mayReload, setMayReload] = useState(() => window.location.href !== FIRST_ADDRESS);
  if (isReachable === false && !mayReload) setMayReload(true);
  const isReloading = isReachable === true && mayReload;
  useEffect(() => {
    if (isReloading) reload();
  }, [isReloading]);
  if (isReachable === undefined || isReloading) return <PagePlaceholder />;
  return (
    <Failure
      title="This page couldn’t be loaded"
      text="If you’re offline, it loads as soon as you’re back online."
    />
  );
}

function Failure({ title, text }: Record<'title' | 'text', string>) {
  return (
    <Container size="sm" py={96} ta="center" role="alert">
      <PageHeading>{title}</PageHeading>
      <Text c="dimmed" mt="sm" mb="xl">
        {text}
      </Text>
      <Group justify="center">
        <Button onClick={reload}>Try again</Button>
        <Button component="a" href="/" variant="default">
          Go home
        </Button>
      </Group>
    </Container>
  );
}

function reload(): void {
  window.location.reload();
}

import { Button, Container, Group, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { PageHeading } from '../components/layout/page-heading.tsx';
import { onConnection } from '../api/connection.ts';
import { PartNotLoaded } from '../browser/lazy-part.ts';

const BROKEN = {
  title: 'Something went wrong on this page',
  text: 'SmartPause is still running, and your campaigns are still protected.',
};
const NOT_LOADED = {
  title: 'This page couldn’t be loaded',
  text: 'If you’re offline, it loads as soon as you’re back online.',
};

/** Replaces a page that failed to render or to load. */
export function ErrorPage() {
  const isNotLoaded = useRouteError() instanceof PartNotLoaded;
  const { title, text } = isNotLoaded ? NOT_LOADED : BROKEN;
  useEffect(() => (isNotLoaded ? onConnection(() => window.location.reload()) : undefined), [isNotLoaded]);
  return (
    <Container size="sm" py={96} ta="center" role="alert">
      <PageHeading>{title}</PageHeading>
      <Text c="dimmed" mt="sm" mb="xl">
        {text}
      </Text>
      <Group justify="center">
        <Button onClick={() => window.location.reload()}>Try again</Button>
        <Button component="a" href="/" variant="default">
          Go home
        </Button>
      </Group>
    </Container>
  );
}

import { Button, Container, Group, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { PageHeading } from '../components/layout/page-heading.tsx';
import { onConnection } from '../api/connection.ts';
import { PartNotLoaded } from '../browser/lazy-part.ts';

/** In place of a page that broke while it was drawn, or that could not be fetched. */
export function ErrorPage() {
  return useRouteError() instanceof PartNotLoaded ? <NotLoaded /> : <Broken />;
}

function Broken() {
  return (
    <Words
      title="This page hit a problem"
      text="SmartPause itself keeps working on the server: your campaigns are still looked after."
    />
  );
}

/** Comes back by itself together with the connection. */
function NotLoaded() {
  useEffect(() => onConnection(() => window.location.reload()), []);
  return (
    <Words
      title="This page could not be loaded"
      text="If the connection is lost, it comes by itself together with the connection."
    />
  );
}

function Words({ title, text }: { title: string; text: string }) {
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

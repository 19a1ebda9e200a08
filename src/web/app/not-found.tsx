import { Container, Text } from '@mantine/core';
import { PageHeading } from '../components/page-heading.tsx';
import { LinkButton } from '../components/links.ts';

export function NotFound() {
  return (
    <Container size="sm" py={96} ta="center">
      <Text c="dimmed" fw={600}>
        404
      </Text>
      <PageHeading mt="xs">Page not found</PageHeading>
      <Text c="dimmed" mt="sm" mb="xl">
        There’s nothing at this address. The page may have moved, or the link may be mistyped.
      </Text>
      <LinkButton to="/">Go home</LinkButton>
    </Container>
  );
}

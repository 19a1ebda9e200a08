import { Container, Skeleton, Stack } from '@mantine/core';

export function PagePlaceholder() {
  return (
    <Container size="lg" py="xl" aria-busy="true" aria-label="Loading">
      <Stack>
        <Skeleton h={32} w={220} />
        <Skeleton h={160} radius="lg" />
        <Skeleton h={160} radius="lg" />
      </Stack>
    </Container>
  );
}

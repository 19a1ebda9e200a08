import { Container, Skeleton, Stack, VisuallyHidden } from '@mantine/core';

export function PagePlaceholder() {
  return (
    <Container size="lg" py="xl" aria-busy="true">
      <VisuallyHidden>Loading</VisuallyHidden>
      <Stack>
        <Skeleton h={32} w={220} />
        <Skeleton h={160} radius="lg" />
        <Skeleton h={160} radius="lg" />
      </Stack>
    </Container>
  );
}

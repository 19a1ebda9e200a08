import { Skeleton, Stack } from '@mantine/core';

export function Placeholders() {
  return (
    <Stack gap="sm" px="lg" pb="lg" aria-busy="true">
      {[1, 2, 3, 4, 5].map((n) => (
        <Skeleton key={n} h={48} data-testid="campaign-placeholder" />
      ))}
    </Stack>
  );
}

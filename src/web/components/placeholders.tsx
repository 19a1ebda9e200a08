import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';

/** As high as the content that it stands for, so that nothing moves when that arrives. */
export function Placeholders({ heights }: { heights: readonly number[] }) {
  return (
    <Stack gap="md" aria-busy="true">
      <VisuallyHidden>Loading</VisuallyHidden>
      {heights.map((height, index) => (
        <Skeleton key={index} h={height} />
      ))}
    </Stack>
  );
}

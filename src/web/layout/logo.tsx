import { Group, Text } from '@mantine/core';

export function Logo() {
  return (
    <Group gap={10} wrap="nowrap">
      <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="var(--mantine-color-accent-7)" />
        <rect x="9" y="9" width="4.5" height="14" rx="1.5" fill="#fff" />
        <path d="M18 9.9c0-.9 1-1.5 1.8-1L26 14.9c.7.5.7 1.6 0 2.1l-6.2 6c-.8.6-1.8 0-1.8-1z" fill="#fff" />
      </svg>
      <Text span fw={700} fz="lg" lts={-0.3}>
        SmartPause
      </Text>
    </Group>
  );
}

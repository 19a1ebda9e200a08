import { Container, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageHeading } from './page-heading.tsx';

interface MessagePageProps {
  title: string;
  text?: string;
  /** Of the text. */
  role?: 'alert' | 'status';
  /** Where to go next. */
  children: ReactNode;
}

/** A page that says one thing and where to go next. */
export function MessagePage({ title, text, role, children }: MessagePageProps) {
  return (
    <Container size="sm" py={96} ta="center">
      <PageHeading mb="sm">{title}</PageHeading>
      {text !== undefined && (
        <Text c="dimmed" mb="xl" role={role}>
          {text}
        </Text>
      )}
      <Group justify="center">{children}</Group>
    </Container>
  );
}

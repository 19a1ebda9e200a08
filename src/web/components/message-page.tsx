import { Container } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageHeading } from './page-heading.tsx';

/** A page that says one thing and where to go next. */
export function MessagePage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Container size="sm" py={96} ta="center">
      <PageHeading mb="sm">{title}</PageHeading>
      {children}
    </Container>
  );
}

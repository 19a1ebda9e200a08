import { Container, Stack } from '@mantine/core';
import type { ComponentType } from 'react';
import { Link } from 'react-router';
import { PageHeading } from '../../components/page-heading.tsx';
import { isOwnServer } from '../../own-server.ts';
import type { View } from './address.ts';
import { VIEWS, adminSearch } from './address.ts';
import classes from './admin.module.css';
import { Held } from './held.tsx';
import { Overview } from './overview.tsx';
import { Queue } from './queue.tsx';
import { StatusHistory } from './status-history.tsx';
import { Stuck } from './stuck.tsx';
import { useAdminAddress } from './use-address.ts';

const PAGES: Record<View, { word: string; Page: ComponentType }> = {
  overview: { word: 'Overview', Page: Overview },
  held: { word: 'Held', Page: Held },
  stuck: { word: 'Stuck', Page: Stuck },
  status: { word: 'Status', Page: StatusHistory },
  queue: { word: 'Queue', Page: Queue },
};

export function Admin() {
  const { view } = useAdminAddress().address;
  const { Page } = PAGES[view];
  return (
    <Container size="lg" py="xl">
      <Stack gap="lg">
        <div>
          <PageHeading fz={26}>Admin</PageHeading>
          {isOwnServer() && <Views current={view} />}
        </div>
        <Page />
      </Stack>
    </Container>
  );
}

function Views({ current }: { current: View }) {
  return (
    <nav aria-label="Admin" className={classes.views}>
      {VIEWS.map((view) => (
        <Link
          key={view}
          to={{ pathname: '/admin', search: adminSearch({ view }) }}
          className={classes.view}
          aria-current={view === current ? 'page' : undefined}
        >
          {PAGES[view].word}
        </Link>
      ))}
    </nav>
  );
}

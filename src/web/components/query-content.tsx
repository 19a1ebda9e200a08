import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { hasFailed } from '../lib/has-failed.ts';
import { Placeholders } from './placeholders.tsx';
import type { RetryButtonProps } from './retry-button.tsx';
import { RetryButton } from './retry-button.tsx';
import { Stale } from './stale.tsx';

interface Query {
  data: unknown;
  isError: boolean;
  errorUpdateCount: number;
  isFetching: boolean;
  dataUpdatedAt: number;
  refetch: () => Promise<unknown>;
}

interface QueryContentProps<Data> {
  query: Query;
  /** What is shown of the query's data; undefined: nothing yet. */
  data: Data | undefined;
  /** The text while it cannot be loaded. */
  failure: string;
  /** The heights of the placeholders until the first response. */
  heights: readonly number[];
  children: (data: Data) => ReactNode;
}

/** The data of a query and its age if it is old, or placeholders for it, or a failure with another try. */
export function QueryContent<Data>({ query, data, failure, heights, children }: QueryContentProps<Data>) {
  if (data !== undefined)
    return (
      <>
        <Stale queries={[query]} what="this" />
        {children(data)}
      </>
    );
  if (!hasFailed(query)) return <Placeholders heights={heights} />;
  return <LoadFailure text={failure} query={query} />;
}

/** Replaces content that could not be loaded. */
export function LoadFailure({ text, query }: { text: string } & RetryButtonProps) {
  return (
    <Group justify="space-between" gap="sm" role="alert">
      <Text fz="sm">{text}</Text>
      <RetryButton query={query} />
    </Group>
  );
}

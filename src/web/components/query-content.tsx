import type { ReactNode } from 'react';
import { hasFailed } from '../lib/has-failed.ts';
import { LoadFailure } from './load-failure.tsx';
import { Placeholders } from './placeholders.tsx';

interface QueryContentProps<Data> {
  query: {
    data: unknown;
    isError: boolean;
    errorUpdateCount: number;
    isFetching: boolean;
    refetch: () => Promise<unknown>;
  };
  /** What is shown of the query's data; undefined: nothing yet. */
  data: Data | undefined;
  /** The text while it cannot be loaded. */
  failure: string;
  /** The heights of the placeholders until the first response. */
  heights: readonly number[];
  children: (data: Data) => ReactNode;
}

/** The data of a query, or placeholders for it, or a failure with another try. */
export function QueryContent<Data>({ query, data, failure, heights, children }: QueryContentProps<Data>) {
  if (data !== undefined) return children(data);
  if (!hasFailed(query)) return <Placeholders heights={heights} />;
  return <LoadFailure text={failure} isTrying={query.isFetching} onTry={() => void query.refetch()} />;
}

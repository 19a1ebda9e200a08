import { queryOptions } from '@tanstack/react-query';
import { destinationApi } from '#contract/destination-api.ts';
import { call } from './api-client.ts';

export const destinationsQuery = queryOptions({
  queryKey: ['destinations'],
  queryFn: async ({ signal }) => (await call(destinationApi.destinations, { signal })).destinations,
});

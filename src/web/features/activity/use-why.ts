import { useSearchParams } from 'react-router';
import * as z from 'zod/mini';
import { campaignId } from '#contract/shapes.ts';
import { useSetParams } from '../../lib/use-set-params.ts';

const inAddress = z.catch(z.nullable(campaignId), null);

/** The campaign whose history the address names, and how to open it. 'Back' closes it. */
export function useWhy() {
  const [params] = useSearchParams();
  const change = useSetParams();
  const show = (id: string | null) => change({ why: id }, id === null);
  return [inAddress.parse(params.get('why')), show] as const;
}

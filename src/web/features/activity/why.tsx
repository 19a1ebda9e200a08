import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import * as z from 'zod/mini';
import { campaignId as campaignIdShape } from '#contract/shapes.ts';
import { WhyDrawer } from './why-drawer.tsx';
import { WHY, withWhy } from './why-address.ts';

const wantedShape = z.catch(z.nullable(campaignIdShape), null);

/** The history of the campaign that the address names. Stays rendered when it closes, so that the focus returns. */
export function Why() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const wanted = wantedShape.parse(params.get(WHY));
  const [campaignId, setCampaignId] = useState(wanted);
  if (wanted !== null && wanted !== campaignId) setCampaignId(wanted);
  if (campaignId === null) return null;
  const close = () => {
    const search = withWhy(window.location.search, null);
    void navigate({ search }, { replace: true, preventScrollReset: true });
  };
  return <WhyDrawer campaignId={campaignId} opened={wanted !== null} onClose={close} />;
}

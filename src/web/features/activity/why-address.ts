import { useCallback } from 'react';
import { useNavigate } from 'react-router';

export const WHY = 'why';

/** The address with the history of this campaign; null: without a history. */
export function withWhy(search: string, id: string | null): string {
  const params = new URLSearchParams(search);
  if (id === null) params.delete(WHY);
  else params.set(WHY, id);
  return params.toString();
}

/** Opens the history of a campaign, in a new entry of the browser's history: 'back' closes it. A stable function. */
export function useOpenWhy(): (id: string) => void {
  const navigate = useNavigate();
  return useCallback(
    (id) => {
      const search = withWhy(window.location.search, id);
      void navigate({ search }, { preventScrollReset: true });
    },
    [navigate],
  );
}

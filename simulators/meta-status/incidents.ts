/** One change of the status page, as it was seen. */
export interface IncidentPost {
  at: string;
  org: string;
  service: string;
  status: string;
  description?: string;
}

export interface Incident {
  id: string;
  title: string;
  posts: IncidentPost[];
}

const delivery = (at: string, status: string): IncidentPost => ({
  at,
  org: 'ads-manager',
  service: 'Ads Delivery',
  status,
});

/** Real incidents by their published times (UTC). What is not published is said to be assumed. */
export const INCIDENTS: Incident[] = [
  {
    id: '2026-01-09',
    title: '2026-01-09: High disruptions, Ads Delivery, 1 h 58',
    posts: [
      delivery('2026-01-09T02:10:00Z', 'High disruptions'),
      delivery('2026-01-09T04:08:00Z', 'Resolved'),
    ],
  },
  {
    id: '2026-03-17',
    title: '2026-03-17: High disruptions, Ads Delivery, 1 h 34',
    posts: [
      delivery('2026-03-17T00:30:00Z', 'High disruptions'),
      delivery('2026-03-17T02:04:00Z', 'Resolved'),
    ],
  },
  {
    id: '2025-09-09',
    title: '2025-09-09: Medium disruptions, Ads Delivery (its start is assumed)',
    posts: [
      delivery('2025-09-09T19:05:00Z', 'Medium disruptions'),
      delivery('2025-09-09T20:53:00Z', 'Resolved'),
    ],
  },
  {
    id: '2026-02-11-reporting',
    title: '2026-02-11: High disruptions, Ads Reporting only (made up)',
    posts: [
      {
        at: '2026-02-11T15:00:00Z',
        org: 'ads-manager',
        service: 'Ads Reporting',
        status: 'High disruptions',
        description:
          'We are aware of an issue that may be impacting ads reporting. Delivery is not affected.',
      },
      {
        at: '2026-02-11T17:30:00Z',
        org: 'ads-manager',
        service: 'Ads Reporting',
        status: 'Resolved',
        description: 'Ads reporting has recovered from an earlier outage.',
      },
    ],
  },
];

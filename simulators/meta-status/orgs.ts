export const OK = 'No known issues';

/** The products on the page with their services. Which services some products have is not published: assumed. */
export const ORGS: [id: string, name: string, services: [number, string][]][] = [
  [
    'ads-manager',
    'Facebook Ads Manager',
    [
      [1, 'Ads Creation and Editing'],
      [2, 'Ads Delivery'],
      [3, 'Ads Reporting'],
    ],
  ],
  ['marketing-api', 'Marketing API', [[1, 'Marketing API']]],
  ['graph-api', 'Graph API', [[3, 'Platform Status']]],
  ['facebook-login', 'Facebook Login', [[1, 'Facebook Login']]],
  ['fbs', 'Meta Business Suite', [[1, 'Meta Business Suite']]],
  ['catalog', 'Catalog', [[1, 'Catalog Manager']]],
  ['fb-ig-shops', 'Facebook and Instagram Shops', [[1, 'Shops']]],
  ['audience-network', 'Meta Audience Network', [[1, 'Ads Serving']]],
  ['ctx', 'Messaging Ads', [[1, 'Messaging Ads']]],
  ['ig-boost', 'Instagram Boost', [[1, 'Instagram Boost']]],
  ['admin-center', 'Meta Admin Center', [[1, 'Admin Center']]],
  ['workplace', 'Workplace', [[1, 'Workplace']]],
  ['messenger', 'Messenger Platform', [[1, 'Messenger Platform']]],
  ['ig-messenger', 'Messenger API for Instagram', [[1, 'Instagram Messaging']]],
  [
    'whatsapp-business-api',
    'WhatsApp Business Platform',
    [
      [1, 'Cloud API'],
      [4, 'Account Management'],
    ],
  ],
  ['ads-transparency', 'Ads Transparency', [[1, 'Ad Library']]],
  ['data-transparency', 'Data Transparency', [[1, 'Data Transparency']]],
];

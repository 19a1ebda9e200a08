/** The company that runs the installation, as the legal pages name it. */
export interface Company {
  name: string;
  /** The postal address in one line. */
  address: string | null;
  /** The email address for questions about the service and about personal data. */
  contact: string | null;
}

/** The meta elements that pass the company from the server to the page. */
export const COMPANY_META = {
  name: 'smartpause-company',
  address: 'smartpause-company-address',
  contact: 'smartpause-contact',
} as const satisfies Record<keyof Company, string>;

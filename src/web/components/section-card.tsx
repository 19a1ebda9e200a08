import type { CardProps } from '@mantine/core';
import { Card, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface SectionCardProps extends CardProps {
  /** Also the fragment of the section. */
  id: string;
  title: string;
  titleColor?: string;
  children: ReactNode;
}

/** A part of a page, with its heading. */
export function SectionCard({ id, title, titleColor, children, style, ...rest }: SectionCardProps) {
  return (
    <Card
      component="section"
      aria-labelledby={`${id}-title`}
      id={id}
      style={[{ scrollMarginTop: 16 }, style]}
      {...rest}
    >
      <Title order={2} fz="lg" mb="sm" id={`${id}-title`} {...(titleColor && { c: titleColor })}>
        {title}
      </Title>
      {children}
    </Card>
  );
}

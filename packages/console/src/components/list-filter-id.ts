/** The field that filters the list of the page. */
export const listFilterId = 'list-filter'

//! Enums whose values have names.

/// Declares enums of which each value stands beside its name, with `ALL` of their values and `name`.
#[macro_export]
macro_rules! names {
    ($($(#[$about:meta])* $visible:vis enum $of:ident { $($(#[$value_about:meta])* $value:ident = $name:literal,)+ })+) => {$(
        $(#[$about])*
        $visible enum $of {
            $($(#[$value_about])* $value,)+
        }

        impl $of {
            /// Every value.
            $visible const ALL: [Self; [$($name),+].len()] = [$(Self::$value),+];

            /// Returns the value's name.
            $visible const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $name,)+
                }
            }
        }
    )+};
}
